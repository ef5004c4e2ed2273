// A broad rule of the site, such as `div { opacity: … }`, would otherwise fade, clip, move or hide the widget. Only
// `!important` wins over such rules. `display` is not listed, so that a site can hide the widget.
const KEPT = [
  ...['opacity', 'visibility', 'filter', 'backdrop-filter', 'mix-blend-mode', 'pointer-events'],
  ...['transform', 'translate', 'rotate', 'scale', 'perspective', 'zoom', 'will-change'],
  ...['clip', 'clip-path', 'mask', 'contain', 'container-type', 'content-visibility'],
  ...['position', 'z-index', 'isolation'],
]

interface WidgetLook {
  color: string
  textColor: string
  theme: 'auto' | 'light' | 'dark'
  position: 'right' | 'left'
  /** The number of launcher buttons before it. */
  place: number
}

/**
 * The widget's styles. They are isolated from the site's styles in both directions. On phones the launcher button
 * covers the frame until the frame has its own close button.
 */
export function widgetStyles({ color, textColor, theme, position, place }: WidgetLook): string {
  return `
    :host { all: initial; ${KEPT.map((name) => `${name}: initial !important;`).join(' ')} }
    .launcher {
      position: fixed; ${position}: ${20 + place * 68}px; bottom: 20px; z-index: 2147483646;
      width: 56px; height: 56px; padding: 0; border: 0; border-radius: 50%;
      background: ${color}; color: ${textColor}; cursor: pointer;
      box-shadow: 0 6px 24px rgb(0 0 0 / 0.25); transition: transform 0.15s;
    }
    .launcher:hover { transform: scale(1.05); }
    /* The owner's colour may be that of the site; of black and white, one can be seen everywhere. */
    .launcher:focus-visible { outline: 3px solid #000; outline-offset: 3px; box-shadow: 0 0 0 3px #fff; }
    svg {
      width: 26px; height: 26px; margin: auto; display: block;
      fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linejoin: round;
    }
    iframe, .cover {
      position: fixed; ${position}: 20px; bottom: 88px; z-index: 2147483647; display: none;
      width: min(400px, calc(100vw - 40px)); height: min(640px, calc(100dvh - 108px));
      border: 0; border-radius: 16px; background: transparent; color-scheme: normal;
      box-shadow: 0 16px 48px rgb(0 0 0 / 0.28);
    }
    :host([open]) iframe { display: block; animation: open 0.18s ease-out; }
    /* What it shows until then is not ours: nothing, or the browser's own error. */
    iframe:has(+ .cover) { visibility: hidden; }
    .cover {
      flex-direction: column; align-items: center; justify-content: center; gap: 12px;
      padding: 24px; box-sizing: border-box; text-align: center;
      color-scheme: ${theme === 'auto' ? 'light dark' : theme}; background: Canvas; color: CanvasText;
      font: 16px/1.5 system-ui, sans-serif;
    }
    :host([open]) .cover { display: flex; animation: open 0.18s ease-out; }
    .cover p { margin: 0; }
    .cover button {
      min-height: 40px; padding: 6px 14px; border: 1px solid; border-radius: 8px;
      background: transparent; color: inherit; font: inherit; cursor: pointer;
    }
    .cover button:focus-visible { outline: 2px solid; outline-offset: 2px; }
    @keyframes open { from { opacity: 0; transform: translateY(12px); } }
    @media (prefers-reduced-motion: reduce) { .launcher, iframe, .cover { animation: none; transition: none; } }
    @media (max-width: 480px), (max-height: 480px) {
      iframe, .cover {
        inset: var(--visible-top, 0) 0 auto; width: 100vw; height: var(--visible-height, 100dvh);
        border-radius: 0;
      }
      :host([open]) .launcher { z-index: 2147483647; }
      :host([open][ready]) .launcher { display: none; }
    }
  `
}
