import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ends } from '../harness.ts'

const MEGABYTE = 1024 * 1024

/** Mounting needs privileges that few environments give. Without them, the tests are skipped. */
export function needsMounting() {
  const folder = mkdtempSync(join(tmpdir(), 'docent-mount-'))
  const isMounted = mount(folder, 1)
  if (isMounted) unmount(folder)
  rmSync(folder, { recursive: true, force: true })
  return { skip: isMounted ? false : 'mounting a small disk needs root' }
}

export interface SmallDisk {
  folder: string
  /** Fills the disk until `left` bytes are free. */
  fill(left: number): void
  createVectorTables(): void
  makeReadOnly(): void
}

/** A disk of a few megabytes, unmounted after the test. */
export function makeSmallDisk(t: Ends, megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'docent-mount-'))
  if (!mount(folder, megabytes)) throw new Error('The disk could not be mounted')
  t.after(() => {
    unmount(folder)
    rmSync(folder, { recursive: true, force: true })
  })
  const filler = join(folder, 'filler')
  return {
    folder,
    fill(left) {
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)))
    },
    createVectorTables: () => rmSync(filler),
    makeReadOnly() {
      spawnSync('mount', ['-o', 'remount,ro', folder])
    },
  }
}

function mount(folder: string, megabytes: number): boolean {
  const options = `size=${megabytes * MEGABYTE},mode=700`
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'docent-test', folder]).status === 0
}

function unmount(folder: string): void {
  // Lazily: a dying process may still have a file open.
  spawnSync('umount', ['--lazy', folder])
}
