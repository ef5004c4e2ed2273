import { join } from 'node:path'
import { writeGuide } from '@docent/guide/render/write-guide.ts'
import tailwindcss from '@tailwindcss/vite'
import { build, type InlineConfig } from 'vite'

// Builds the console, the widget with the visitors' page, and the guide: all of them, or those that are named. "npm start"
// builds those whose sources have changed.

const ROOT = join(import.meta.dirname, '..')
const APPS = join(ROOT, 'apps')

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
