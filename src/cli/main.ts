/** `ramal`: does what its command line says and ends with the exit code. `bin/ramal.js` starts it. */
import { runCli } from './run.ts';

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
