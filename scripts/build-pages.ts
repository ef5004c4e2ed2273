import { join } from 'node:path'
import { writeGuide } from '@docent/guide/render/write-guide.ts'
import tailwindcss from '@tailwindcss/vite'
import { build, type InlineConfig } from 'vite'

// Builds what browsers get: the console, the visitors' page, the widget's script and the guide. "npm start" and "npm test" run it
// when the sources have changed since the last time.

const ROOT = join(import.meta.dirname, '..')

const common = {
  configFile: false,
  logLevel: 'warn',
  base: '/',
  // No data: URLs and no script in the page itself: the content policy allows neither.
  build: {
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    rolldownOptions: {
      // Libraries change less often than the pages do, and are kept longer by browsers.
      output: { codeSplitting: { groups: [{ name: 'libraries', test: /node_modules/ }] } },
      // "use client" is for servers that render; there is none here.
      onLog(level, log, report) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
      },
    },
  },
} satisfies InlineConfig

await build({
  ...common,
  root: join(ROOT, 'console'),
  plugins: [tailwindcss()],
  build: { ...common.build, assetsDir: 'assets/console' },
})

await build({
  ...common,
  root: join(ROOT, 'widget'),
  build: {
    ...common.build,
    assetsDir: 'assets/chat',
    rolldownOptions: {
      ...common.build.rolldownOptions,
      input: join(ROOT, 'apps/widget/visitor.html'),
    },
  },
})

await build({
  ...common,
  root: join(ROOT, 'widget'),
  build: {
    ...common.build,
    emptyOutDir: false,
    rolldownOptions: {},
    lib: {
      entry: join(ROOT, 'apps/widget/src/widget.ts'),
      name: 'docentWidget',
      formats: ['iife'],
      fileName: () => 'widget.js',
    },
  },
})

await build({
  ...common,
  root: join(ROOT, 'guide'),
  build: {
    ...common.build,
    assetsDir: 'assets/guide',
    rolldownOptions: {
      ...common.build.rolldownOptions,
      input: join(ROOT, 'apps/guide/page.html'),
    },
  },
})
writeGuide(ROOT)
