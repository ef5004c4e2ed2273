import { ATTACKS } from './attacks.ts'
import type { World } from './world.ts'

// Runs an attack until it is killed, in its own process, so that it does not delay the quiet caller's clock.
process.once('message', ({ name, world }: { name: string; world: World }) => {
  process.on('disconnect', () => process.exit())
  void ATTACKS[name]!.act(world, new AbortController().signal)
})
