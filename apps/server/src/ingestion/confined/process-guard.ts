import { type ChildProcess, spawn } from 'node:child_process'

// Reads which groups of processes there are, and when the server is gone ends those that are left.
const SCRIPT = `
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done`

/**
 * Sees to it that what the server started does not outlive it. A process that is kept busy never notices that the
 * server was killed; a shell that waits for the end of its input does.
 */
export class ProcessGuard {
  #shell: ChildProcess | undefined

  /** Watches a process that leads a group of its own (`detached`) until it ends. */
  watch(leader: ChildProcess): void {
    const { pid } = leader
    if (pid === undefined) return
    this.#tell(`+ ${pid}`)
    leader.once('exit', () => this.#tell(`- ${pid}`))
  }

  close(): void {
    this.#shell?.stdin?.end()
    this.#shell = undefined
  }

  #tell(line: string): void {
    this.#shell ??= this.#start()
    this.#shell.stdin?.write(`${line}\n`)
  }

  #start(): ChildProcess {
    // A group of its own: what ends the server's whole group must not end the guard.
    const stdio = ['pipe', 'ignore', 'ignore'] as ['pipe', 'ignore', 'ignore']
    const shell = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, env: {}, stdio })
    // Without a shell there is no guard, which is no reason not to read documents. There may be one for the next.
    shell.on('error', () => {
      if (shell === this.#shell) this.#shell = undefined
    })
    if (shell.pid === undefined) return shell
    shell.unref()
    const { stdin } = shell as { stdin: typeof shell.stdin & { unref?: () => void } }
    stdin.unref?.()
    stdin.on('error', () => {})
    return shell
  }
}

/** Ends a process that leads a group, with everything that it started. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
