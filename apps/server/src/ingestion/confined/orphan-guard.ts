import { type ChildProcess, spawn } from 'node:child_process'

// Reads the process groups from stdin. When the server is gone, the script kills those that are left.
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
 * Kills child processes when the server dies. A busy process never notices that the server was killed. A shell that
 * reads stdin does.
 */
export class OrphanGuard {
  #shell: ChildProcess | undefined

  /** Watches the leader of a process group (`detached`) until it exits. */
  watch(leader: ChildProcess): void {
    const { pid } = leader
    if (pid === undefined) return
    this.#shell ??= this.#start()
    this.#tell(`+ ${pid}`)
    // After the guard is closed, there is nothing left to tell.
    leader.once('exit', () => this.#tell(`- ${pid}`))
  }

  close(): void {
    this.#shell?.stdin?.end()
    this.#shell = undefined
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`)
  }

  #start(): ChildProcess {
    // A group of its own, so that a kill of the server's whole group spares the guard.
    const stdio = ['pipe', 'ignore', 'ignore'] as ['pipe', 'ignore', 'ignore']
    const shell = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, env: {}, stdio })
    // If no shell starts, documents are read without a guard. The next process tries again.
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

export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already exited.
  }
}
