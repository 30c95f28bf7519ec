# lit configuration: FileCheck tests of compiler passes, driven through forerun-opt.
import os

import lit.formats

config.name = "forerun"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]  # data of other tests
config.test_source_root = os.path.join(config.forerun_source_dir, "tests", "compiler")
config.test_exec_root = os.path.join(config.forerun_binary_dir, "tests", "lit")
config.substitutions.append(("%examples", os.path.join(config.forerun_source_dir, "examples")))
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.forerun_binary_dir, "bin"), config.llvm_tools_dir, config.environment["PATH"]])
