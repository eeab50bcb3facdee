import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { folderMediaStore } from '../../../src/providers/media/folder.ts';
import { sandboxTelephony } from '../../../src/providers/telephony/sandbox.ts';
import { parseSandboxCallLogLines } from '../../../src/providers/telephony/sandbox/callLogLineFormat.ts';
import { describeTelephony } from '../telephony.contract.ts';

describeTelephony('sandbox', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'));
  const media = folderMediaStore(join(dataDir, 'media'));
  return {
    numbers: {
      answers: '5511999990000',
      busy: '5511999990001',
      neverAnswers: '5511999990002',
      congestion: '5511999990003',
      unreachable: '5511999990004',
      machine: '5511999990005',
      human: '5511999990000',
      hangsUp: '5511999990006',
      presses: { number: '5511999990015', digits: '5' },
      speaks: '5511999990030',
    },
    start: async (report) => {
      let alive = true;
      const telephony = sandboxTelephony({
        dataDir,
        media,
        speed: 20,
        report: (machine, fact) => void (alive && report(machine, fact)),
      });
      await telephony.start();
      return {
        telephony,
        abandon: async () => {
          alive = false;
        },
      };
    },
    dialCount: async (channel) => {
      const lines = parseSandboxCallLogLines(await readFile(join(dataDir, 'sandbox', 'calls.log'), 'utf8'));
      return lines.filter((line) => line.do === 'originate' && line.channel === channel).length;
    },
    media: {
      put: async (account, id, wav) => void (await media.put(account, id, wav)),
      read: async (account, id) => buffer((await media.open(account, id))!.stream),
    },
    close: () => rm(dataDir, { recursive: true, force: true }),
  };
});
