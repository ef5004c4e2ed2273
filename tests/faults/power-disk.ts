import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ends } from '@docent/server/test/harness.ts'

// Simulates a disk whose power can be cut: an ext4 image that Linux shuts down without another write, not even to the
// journal. As after a real power failure, the image has only what was synced.

const PATIENCE_MS = 20_000
/** Calls FS_IOC_SHUTDOWN with NOLOGFLUSH, because Node has no ioctl. */
const SHUT_DOWN = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))`

export interface PowerDisk {
  folder: string
  /** All further reads and writes fail. */
  cut(): void
  /** Mounts the image like a restarted machine, once no process has a file on it open. */
  powerUp(): Promise<void>
}

/** Needs root and the tools that create and mount ext4. Undefined without them. */
export function makePowerDisk(t: Ends, megabytes: number): PowerDisk | undefined {
  const place = mkdtempSync(join(tmpdir(), 'docent-power-'))
  const image = join(place, 'image')
  const folder = join(place, 'disk')
  mkdirSync(folder)
  t.after(() => {
    run('umount', '--lazy', folder)
    rmSync(place, { recursive: true, force: true })
  })
  const cut = () => run('/usr/bin/python3', '-c', SHUT_DOWN, folder)
  const mount = () => run('mount', '-o', 'loop', image, folder)
  const isMade =
    run('truncate', `--size=${megabytes}M`, image) &&
    run('mkfs.ext4', '-q', '-F', image) &&
    mount() &&
    cut() &&
    run('umount', folder) &&
    mount()
  if (!isMade) return undefined
  return {
    folder,
    cut() {
      if (!cut()) throw new Error('The power could not be cut')
    },
    async powerUp() {
      const until = performance.now() + PATIENCE_MS
      while (!run('umount', folder)) {
        if (performance.now() > until) throw new Error('Somebody still has a file open')
        await sleep(50)
      }
      if (!mount()) throw new Error('The disk could not be mounted again')
    },
  }
}

export const NO_POWER_DISK =
  'cutting the power of a disk needs root, loop devices, e2fsprogs and python3'

function run(program: string, ...args: string[]): boolean {
  return spawnSync(program, args).status === 0
}
