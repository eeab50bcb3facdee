/** The programs that a reader has, in a folder of their own. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** The service and the command line as they are shipped. */
const builtMain = join(root, 'dist/src/main.js');
const builtCli = join(root, 'dist/src/cli/main.js');

/** Makes the folder: the programs of a clone, and a curl that finds the service and tells each status. */
export const toolsIn = ({ folder, port }: { folder: string; port: number }): string => {
  const tools = join(folder, '.tools');
  if (mkdirSync(tools, { recursive: true }) === undefined) return tools;
  symlinkSync(join(root, 'packages'), join(folder, 'packages'));
  symlinkSync(join(root, 'docker'), join(folder, 'docker'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const settings = {
    'connect-to': `localhost:8080:127.0.0.1:${port}`,
    'write-out': String.raw`%{stderr}\nHTTP %{http_code} %{url_effective}\n`,
  };
  writeFileSync(
    join(tools, '.curlrc'),
    Object.entries(settings)
      .map(([name, value]) => `${name} = "${value}"\n`)
      .join(''),
  );
  const node = `'${process.execPath}'`;
  addTool(tools, 'npx', `[ "$1" = ramal ] || exit 127\nshift\nexec ${node} '${builtCli}' "$@"`);
  // What pages install is in node_modules.
  addTool(
    tools,
    'npm',
    `case $1 in start) exec ${node} --enable-source-maps '${builtMain}';; install) ;; *) exit 127;; esac`,
  );
  return tools;
};

/** A program of one's own: lines of a shell. */
export const addTool = (tools: string, name: string, script: string): void => {
  const file = join(tools, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
};
