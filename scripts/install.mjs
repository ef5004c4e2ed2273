import { install } from './set-up.mjs'

// Installs what the lock file names, tools included. "npm start" and "npm test" do it by themselves.
install({ withTools: true })
