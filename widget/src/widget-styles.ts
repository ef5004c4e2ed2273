// By these, a rule of the site for everything on its pages would reach what is inside: it would be pale, cut off, moved, or
// lie behind the page. Only what is important here is stronger than a rule of the site. Not `display`: a site may hide
// the whole widget where it does not want it.
const KEPT = [
  ...['opacity', 'visibility', 'filter', 'backdrop-filter', 'mix-blend-mode', 'pointer-events'],
  ...['transform', 'translate', 'rotate', 'scale', 'perspective', 'zoom', 'will-change'],
  ...['clip', 'clip-path', 'mask', 'contain', 'container-type', 'content-visibility'],
  ...['position', 'z-index', 'isolation'],
]

/**
 * The widget's own styles: nothing of the site reaches them, and they reach nothing of the site. On a phone the button
 * lies over the frame until that has a button of its own to close it.
 */
export function widgetStyles(
  color: string,
  textColor: string,
  position: 'right' | 'left',
  place: number,
): string {
  return `
    :host { all: initial; ${KEPT.map((name) => `${name}: initial !important;`).join(' ')} }
    button {
      position: fixed; ${position}: ${20 + place * 68}px; bottom: 20px; z-index: 2147483646;
      width: 56px; height: 56px; padding: 0; border: 0; border-radius: 50%;
      background: ${color}; color: ${textColor}; cursor: pointer;
      box-shadow: 0 6px 24px rgb(0 0 0 / 0.25); transition: transform 0.15s;
    }
    button:hover { transform: scale(1.05); }
    button:focus-visible { outline: 3px solid ${color}; outline-offset: 3px; }
    svg {
      width: 26px; height: 26px; margin: auto; display: block;
      fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linejoin: round;
    }
    iframe {
      position: fixed; ${position}: 20px; bottom: 88px; z-index: 2147483647; display: none;
      width: min(400px, calc(100vw - 40px)); height: min(640px, calc(100dvh - 108px));
      border: 0; border-radius: 16px; background: transparent; color-scheme: normal;
      box-shadow: 0 16px 48px rgb(0 0 0 / 0.28);
    }
    :host([open]) iframe { display: block; animation: open 0.18s ease-out; }
    @keyframes open { from { opacity: 0; transform: translateY(12px); } }
    @media (prefers-reduced-motion: reduce) { button, iframe { animation: none; transition: none; } }
    @media (max-width: 480px), (max-height: 480px) {
      iframe { inset: 0; width: 100vw; height: 100dvh; border-radius: 0; }
      :host([open]) button { z-index: 2147483647; }
      :host([open][ready]) button { display: none; }
    }
  `
}
