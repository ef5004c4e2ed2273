type Rgb = [number, number, number]

/** The contrast that text needs (WCAG 2.2 AA). */
const ENOUGH = 4.5
const LIGHT_PAPER: Rgb = [250, 249, 247]
const DARK_PAPER: Rgb = [30, 30, 27]

/**
 * Owners may choose any color. Text in and on that color stays readable: where the page background is too similar, the
 * color is darkened or lightened.
 */
export function brandColors(color: string): Record<string, string> {
  const chosen = parse(color)
  const onLight = standOut(chosen, LIGHT_PAPER, [0, 0, 0])
  const onDark = standOut(chosen, DARK_PAPER, [255, 255, 255])
  return {
    '--brand': pair(onLight, onDark),
    '--on-brand': pair(textOn(onLight), textOn(onDark)),
    '--brand-soft': pair(soften(onLight, LIGHT_PAPER), soften(onDark, DARK_PAPER)),
  }
}

/** Black or white, whichever contrasts more. */
export function textOn(background: Rgb): Rgb {
  const white: Rgb = [255, 255, 255]
  // Pure black: with a lighter dark color, a mid-gray background would have too little contrast with both.
  const black: Rgb = [0, 0, 0]
  return contrast(background, white) >= contrast(background, black) ? white : black
}

function standOut(color: Rgb, paper: Rgb, towards: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, towards, share)
    // The color is also used for text on its own soft tint, so check that contrast.
    if (contrast(mixed, soften(mixed, paper)) >= ENOUGH) return mixed
  }
  return towards
}

function soften(color: Rgb, paper: Rgb): Rgb {
  return mix(color, paper, 0.88)
}

export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((value) => {
    const share = value / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function mix(color: Rgb, other: Rgb, share: number): Rgb {
  return color.map((value, index) => Math.round(value + (other[index]! - value) * share)) as Rgb
}

export function parse(color: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as Rgb
}

function pair(light: Rgb, dark: Rgb): string {
  return `light-dark(rgb(${light.join(' ')}), rgb(${dark.join(' ')}))`
}
