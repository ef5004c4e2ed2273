#!/usr/bin/env node
// Settings of MCP clients from earlier versions name this file. It goes with the next version.
import '../../apps/server/bin/docent.mjs'
