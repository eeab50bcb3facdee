/**
 * Loaded, or run, before anything else: ends with a sentence where Node is too old. Plain JavaScript for any Node. What is
 * loaded after it would end with a message of its own that explains nothing.
 */
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  const sentence = `Ramal needs Node 20.19 or newer; this is ${process.versions.node}. Get it from https://nodejs.org`;
  if (process.argv.includes('--json'))
    process.stdout.write(JSON.stringify({ error: sentence, exit: 1 }) + '\n');
  else process.stderr.write(`Error: ${sentence}\n`);
  process.exit(1);
}
