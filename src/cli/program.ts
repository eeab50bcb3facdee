/** All commands of `ramal`, in the order in which a newcomer needs them. */
import { Command } from 'commander';
import { accountCommands } from './commands/account.ts';
import { audioCommands } from './commands/audio.ts';
import { backupCommand } from './commands/backup.ts';
import { blocklistCommands } from './commands/block.ts';
import { placeCallCommand } from './commands/call.ts';
import { callbackCommands } from './commands/callback.ts';
import { campaignCommands } from './commands/campaign.ts';
import { consoleSignInLinkCommand } from './commands/console.ts';
import { doctorCommand } from './commands/doctor.ts';
import { accountEventsCommand } from './commands/events.ts';
import { chatLineCommands } from './commands/chatLine.ts';
import { destinationListCommands } from './commands/destinationList.ts';
import { machineCommands } from './commands/machines.ts';
import { reconcileFromJournalsCommand } from './commands/reconcileFromJournals.ts';
import { replayDeliveriesCommand } from './commands/replayDeliveries.ts';
import { restoreCommand } from './commands/restore.ts';
import { rotateKeyCommand } from './commands/rotateKey.ts';
import { mcpConfigCommands } from './commands/mcp.ts';
import { shardCommand } from './commands/listAndOpenClosedShards.ts';
import { messageSendingCommands, smsSendCommands } from './commands/send.ts';
import { smsRouteCommands } from './commands/smsRoute.ts';
import { startCommand } from './commands/start.ts';
import { statusCommand } from './commands/status.ts';
import { stopServiceCommand } from './commands/stop.ts';
import { tokenCommands } from './commands/token.ts';
import { trunkCommands } from './commands/trunks/trunks.ts';
import { unlockCommand } from './commands/unlock.ts';
import { whyNumberCalledCommand } from './commands/whyNumberCalled.ts';
import { commandActionWrapper, type CliCommandExitListener } from './commandActionWrapper.ts';
import { readPackageManifest } from './packageRoot.ts';
import type { CommandLineStreamsAndEnv } from './shell.ts';

const connecting = `
Where the service is and what opens it:
  --url           else RAMAL_URL, else this machine at PORT (8080)
  --admin-token   else ADMIN_TOKEN, else DATA_DIR/admin-token
  --token         else RAMAL_TOKEN, DEMO_TOKEN, else DATA_DIR/demo-token
  Tokens in options are seen by other users of this machine; variables are not.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 the service cannot be
reached. With --json the answer, or the error, is JSON on standard output.

  $ npx ramal start
  $ npx ramal call 11987650000 --text "Hello from Ramal" --watch`;

/** `finish` hears how the command that ran ended. */
export const buildCliProgram = (shell: CommandLineStreamsAndEnv, finish: CliCommandExitListener): Command => {
  const program = new Command('ramal')
    .description('Voice, messages and campaigns from the command line.')
    .version(readPackageManifest().version, '-V, --version', 'print the version')
    .option('--url <address>', 'where the service is')
    .option('--admin-token <token>', 'opens the administration')
    .option('--token <token>', 'of the account that acts')
    .option('--json', 'answer in JSON, for scripts')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void shell.stdout.write(text),
      writeErr: (text) => void shell.stderr.write(text),
      // Errors are said in `run.ts`.
      outputError: () => {},
      getOutHelpWidth: () => Math.min(shell.stdout.columns || 80, 100),
      getOutHasColors: () => false,
    })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', connecting);
  const act = commandActionWrapper(shell, finish);
  for (const add of inOrder) add(program, act);
  return program;
};

const inOrder = [
  startCommand,
  statusCommand,
  stopServiceCommand,
  consoleSignInLinkCommand,
  doctorCommand,
  accountCommands,
  tokenCommands,
  unlockCommand,
  chatLineCommands,
  placeCallCommand,
  trunkCommands,
  messageSendingCommands,
  smsSendCommands,
  smsRouteCommands,
  destinationListCommands,
  audioCommands,
  blocklistCommands,
  campaignCommands,
  callbackCommands,
  machineCommands,
  whyNumberCalledCommand,
  accountEventsCommand,
  mcpConfigCommands,
  replayDeliveriesCommand,
  backupCommand,
  restoreCommand,
  reconcileFromJournalsCommand,
  rotateKeyCommand,
  shardCommand,
];
