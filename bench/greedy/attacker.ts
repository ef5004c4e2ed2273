import { ATTACKS } from './attacks.ts'
import type { World } from './world.ts'

// Runs one attack until it is killed. A process of its own, so that the quiet caller's clock is not delayed by it.
process.once('message', ({ name, world }: { name: string; world: World }) => {
  process.on('disconnect', () => process.exit())
  void ATTACKS[name]!.act(world, new AbortController().signal)
})
