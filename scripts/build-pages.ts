import { join } from 'node:path'
import { writeGuide } from '@docent/guide/render/write-guide.ts'
import tailwindcss from '@tailwindcss/vite'
import { build, type InlineConfig } from 'vite'

// Builds the console, the widget with the visitor page, and the guide: all, or those named as arguments. "npm start"
// runs this for changed sources.

const ROOT = join(import.meta.dirname, '..')
const APPS = join(ROOT, 'apps')

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

const BUILD = {
  console: async () => {
    await build({
      ...common,
      root: join(APPS, 'console'),
      plugins: [tailwindcss()],
      build: { ...common.build, assetsDir: 'assets/console' },
    })
  },
  widget: async () => {
    await build({
      ...common,
      root: join(APPS, 'widget'),
      build: {
        ...common.build,
        assetsDir: 'assets/chat',
        rolldownOptions: {
          ...common.build.rolldownOptions,
          input: join(APPS, 'widget/visitor.html'),
        },
      },
    })

    await build({
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
    })
  },
  guide: async () => {
    await build({
      ...common,
      root: join(APPS, 'guide'),
      build: {
        ...common.build,
        assetsDir: 'assets/guide',
        rolldownOptions: {
          ...common.build.rolldownOptions,
          input: join(APPS, 'guide/page.html'),
        },
      },
    })
    writeGuide(ROOT)
  },
}

const named = process.argv.slice(2)
for (const [name, buildApp] of Object.entries(BUILD)) {
  if (named.length === 0 || named.includes(name)) await buildApp()
}
