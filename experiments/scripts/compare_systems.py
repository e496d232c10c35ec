"""Is a system better than a string metric and than other systems, and by how much?

python -m alignrank.experiments.scripts.compare_systems [TASK] [FOLDER] [SYSTEM.rdf ...]
"""

import alignrank as ar
from alignrank.experiments.inputs.named_inputs import named_files, specs
from alignrank.experiments.scripts.results_folder import ResultsFolder, one_task, run


def main(name: str = "library", folder: str = "compare-systems", *files: str) -> None:
    """Compare systems with a metric that finds equal words; print each difference."""
    task = one_task(name)
    systems = named_files(files) or dict(task.alignments)
    pair = task.source, task.target
    made_of = *pair, task.reference, *systems.values()
    results = ResultsFolder(folder, __file__, *made_of, systems=list(systems))
    baseline = results.folder / "equality.rdf"
    if not baseline.is_file():
        ar.write_alignment(ar.match(*pair, metric="equality", threshold=1.0), baseline)

    def compare() -> ar.Result:
        # adjusted for classes that share a parent, since the source ontology is given
        alignments = named_files([*specs(systems), f"equality={baseline}"])
        return ar.compare(task.reference, alignments, source=pair[0], target=pair[1])

    print(results.table("systems", compare)[["F1", "letters", "rank"]].to_string())
    pairs = results.table("pairs", lambda: compare().to_frame("pairs"))
    print(pairs.to_string(float_format="{:.3f}".format))


if __name__ == "__main__":
    run(main, __doc__)
