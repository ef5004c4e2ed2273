import { install } from './set-up.mjs'

// Installs the packages of the lock file with the development tools. "npm start" and "npm test" run this too.
install({ withTools: true })
