import { writeGuide } from '@docent/guide/render/write-guide.ts'
import { build } from 'vite'
import { consolePage, guidePage, ROOT, visitorPage, widgetScript } from './vite-config.ts'

// Builds the console, the widget with the visitor page, and the guide: all, or those named as arguments. "npm start"
// runs this for changed sources.

const BUILD = {
  console: async () => {
    await build(consolePage)
  },
  widget: async () => {
    await build(visitorPage)
    await build(widgetScript)
  },
  guide: async () => {
    await build(guidePage)
    writeGuide(ROOT)
  },
}

const named = process.argv.slice(2)
for (const [name, buildApp] of Object.entries(BUILD)) {
  if (named.length === 0 || named.includes(name)) await buildApp()
}
