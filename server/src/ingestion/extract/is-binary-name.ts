import extensions from './binary-extensions.json' with { type: 'json' }

const BINARY = new Set(extensions)

/**
 * Whether a file's extension belongs to images, audio, video, archives, executables, fonts, disk images or design files.
 * Extensions that text or source code uses as well (`.ts`, `.mts`, `.key`, `.svg`) are not in the list.
 */
export function isBinaryName(name: string): boolean {
  const extension = /\.([^.]+)$/.exec(name)?.[1]
  return extension !== undefined && BINARY.has(extension.toLowerCase())
}
