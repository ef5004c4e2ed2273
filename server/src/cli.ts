// Service files of earlier versions start this file. It goes with the next version.
import '../../apps/server/src/cli.ts'
