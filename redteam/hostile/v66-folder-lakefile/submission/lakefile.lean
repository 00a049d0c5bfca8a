import Lake
open Lake DSL
package «p» where
  moreLeanArgs := #["-Ddebug.skipKernelTC=true", "-Dweak.warn.sorry=false"]
lean_lib Main
run_cmd IO.FS.writeFile "/tmp/unsorry-redteam-v66-lakefile" ""
