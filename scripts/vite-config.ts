import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import type { InlineConfig } from 'vite'

// How Vite builds the pages (build-pages.ts) and serves them while you work on them (dev-server.ts).

export const ROOT = join(import.meta.dirname, '..')
const APPS = join(ROOT, 'apps')
export const VISITOR_PAGE = join(APPS, 'widget/visitor.html')

const common = {
  configFile: false,
  logLevel: 'warn',
  base: '/',
  // The content security policy forbids data: URLs and inline scripts.
  build: {
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    rolldownOptions: {
      // Libraries change less often than pages, so browsers can cache them longer.
      output: { codeSplitting: { groups: [{ name: 'libraries', test: /node_modules/ }] } },
      // "use client" is a directive for server rendering, which Docent does not use.
      onLog(level, log, report) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
      },
    },
  },
} satisfies InlineConfig

/** A page whose files go to `/assets/NAME`. */
function page(app: string, assets: string, html: string) {
  return {
    ...common,
    root: join(APPS, app),
    build: {
      ...common.build,
      assetsDir: `assets/${assets}`,
      rolldownOptions: { ...common.build.rolldownOptions, input: join(APPS, app, html) },
    },
  } satisfies InlineConfig
}

export const consolePage: InlineConfig = {
  ...page('console', 'console', 'index.html'),
  plugins: [tailwindcss()],
}

export const visitorPage: InlineConfig = page('widget', 'chat', 'visitor.html')

export const guidePage: InlineConfig = page('guide', 'guide', 'page.html')

/** One classic script beside the visitor page, because sites load it with a plain script tag. */
export const widgetScript: InlineConfig = {
  ...common,
  root: join(APPS, 'widget'),
  build: {
    ...common.build,
    emptyOutDir: false,
    rolldownOptions: {},
    lib: {
      entry: join(APPS, 'widget/src/widget.ts'),
      name: 'docentWidget',
      formats: ['iife'],
      fileName: () => 'widget.js',
    },
  },
}

/** The console's development server. It also serves the modules of the visitor page. */
export const devServer: InlineConfig = {
  configFile: false,
  root: join(APPS, 'console'),
  plugins: [tailwindcss()],
  clearScreen: false,
  cacheDir: join(ROOT, 'node_modules/.cache/vite'),
  // Scanned at the start, so that pages do not reload when they first import a library.
  optimizeDeps: { entries: ['index.html', '../widget/src/visitor-page.tsx'] },
  server: {
    strictPort: true,
    // Excludes .env and the data folder.
    fs: { allow: ['apps', 'packages', 'node_modules'].map((name) => join(ROOT, name)) },
  },
}
