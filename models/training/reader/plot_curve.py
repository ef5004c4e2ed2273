"""Draws the curve of a training run as SVG: loss, span F1 and AUROC on held-back articles, by epoch."""

import argparse
import json

WIDTH, HEIGHT, LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT = 760, 314, 50, 54, 290, 200
LINES = [
    [("span", "span loss", "#b45309"), ("presence", "presence loss", "#0f766e")],
    [
        ("f1", "F1 of spans", "#1d4ed8"),
        ("exact", "exact match", "#7c3aed"),
        ("auroc_passages", "AUROC, other passages", "#0f766e"),
        ("auroc_altered", "AUROC, altered questions", "#b45309"),
        ("auroc_glance", "AUROC, other passages, at a glance", "#be185d"),
    ],
]


def panel(points, lines, left, low, high):
    last = points[-1]["epoch"]

    def place(epoch, value):
        x = left + PLOT_WIDTH * (epoch - 1) / max(last - 1, 1)
        return f"{x:.1f},{TOP + PLOT_HEIGHT * (high - value) / (high - low):.1f}"

    parts = [f'<rect x="{left}" y="{TOP}" width="{PLOT_WIDTH}" height="{PLOT_HEIGHT}" fill="none" stroke="#999"/>']
    for share in (0, 0.5, 1):
        value = low + (high - low) * share
        parts.append(text(left - 6, TOP + PLOT_HEIGHT * (1 - share) + 4, f"{value:.2f}", "end"))
    for epoch in (1, (1 + last) // 2, last):
        parts.append(text(float(place(epoch, low).split(",")[0]), TOP + PLOT_HEIGHT + 16, str(epoch), "middle"))
    parts.append(text(left + PLOT_WIDTH / 2, TOP + PLOT_HEIGHT + 32, "epoch", "middle"))
    for number, (name, label, colour) in enumerate(lines):
        line = " ".join(place(point["epoch"], point[name]) for point in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        end = f"{label} {points[-1][name]:.3f}"
        parts.append(text(left + 165 * (number % 2), TOP - 36 + 14 * (number // 2), end, "start", colour))
    return parts


def text(x, y, content, anchor, colour="#444"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{content}</text>'


def draw(curve, target):
    with open(curve, encoding="utf-8") as file:
        points = [json.loads(line) for line in file]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="10.5">',
        "<title>The reader's training: losses, and scores on held-back articles, by epoch</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        *panel(points, LINES[0], LEFT, 0, max(point[name] for point in points for name, _, _ in LINES[0])),
        *panel(points, LINES[1], LEFT + WIDTH // 2, 0.4, 1),
        "</svg>",
    ]
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--curve", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    draw(options.curve, options.out)


if __name__ == "__main__":
    main()
