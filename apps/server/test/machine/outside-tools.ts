import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'

// Some tests need tools beyond npm packages. Without them, the tests are skipped with a message on what to install.
// CI installs all of them, so there the tests always run.

/** Takes .6 of the processor time of `DESKTOP_CHROMIUM`. */
export const CHROMIUM = '/usr/bin/chromium-headless-shell'
export const DESKTOP_CHROMIUM = '/usr/bin/chromium'
export const PYTHON = '/usr/bin/python3'
export const NGINX = '/usr/sbin/nginx'

// biome-ignore lint/style/noProcessEnv: set by every CI system
const inCi = process.env.CI === 'true'

export function needsChromium(path = CHROMIUM) {
  const there = inCi || existsSync(path)
  return { skip: there ? false : `${path} is needed: apt-get install ${basename(path)}` }
}

export function needsNginx() {
  const there = inCi || existsSync(NGINX)
  return { skip: there ? false : `${NGINX} is needed: apt-get install nginx-light` }
}

export function needsOpenssl() {
  const there = inCi || spawnSync('openssl', ['version']).status === 0
  return { skip: there ? false : 'openssl is needed: apt-get install openssl' }
}

/** With "npm run screenshots", the browser tests also write the pictures of the guides. */
// biome-ignore lint/style/noProcessEnv: how a command tells its tests
export const takesScreenshots = process.env.SCREENSHOTS === '1'

export function needsPython() {
  const there = inCi || spawnSync(PYTHON, ['-c', 'import requests, aiohttp']).status === 0
  return {
    skip: there
      ? false
      : `${PYTHON} with requests and aiohttp is needed: apt-get install python3-requests python3-aiohttp`,
  }
}
