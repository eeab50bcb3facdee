/** The telephony contract against a real Asterisk with a real SIP carrier. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { folderMediaStore } from '../../../src/providers/media/folder.ts';
import {
  createAsterisk,
  dialStringTemplatesFromEndpoints,
} from '../../../src/providers/telephony/asterisk.ts';
import { type Bed, lacking, openMediaServer, startBed, tellsOnFailure } from '../../asterisk/bed.ts';
import { describeTelephony } from '../telephony.contract.ts';
import type { TelephonyBed } from './contract/bed.ts';
import { names } from '../../helpers/names.ts';

let asterisk: Bed | undefined;

const aBed = async (): Promise<TelephonyBed> => {
  const bed = await startBed(1);
  asterisk = bed;
  const folder = await mkdtemp(join(tmpdir(), 'ramal-asterisk-'));
  const media = folderMediaStore(folder);
  const door = await openMediaServer(media);
  let nodes = 0;
  return {
    numbers: {
      answers: '551130000000',
      busy: '551130000001',
      neverAnswers: '551130000002',
      congestion: '551130000003',
      unreachable: '551130000004',
      machine: '551130000005',
      human: '551130000000',
      hangsUp: '551130000006',
      presses: { number: '551130000017', digits: '7' },
      speaks: '551130000030',
    },
    start: async (report) => {
      let alive = true;
      const telephony = createAsterisk({
        names,
        login: bed.login,
        node: `contract${(nodes += 1)}`,
        dial: dialStringTemplatesFromEndpoints('PJSIP/{number}@carrier'),
        media,
        mediaUrl: door.url,
        report: (machine, fact) => alive && report(machine, fact),
        owns: async (legs) => legs.map(() => true),
        log: { warn: (details, message) => console.warn(message, details) },
      });
      await telephony.start();
      return {
        telephony,
        abandon: async () => {
          alive = false;
          await telephony.stop();
        },
      };
    },
    dialCount: bed.dials,
    media: {
      put: async (account, id, wav) => void (await media.put(account, id, wav)),
      read: async (account, id) => {
        const file = await media.open(account, id);
        const chunks: Buffer[] = [];
        for await (const chunk of file!.stream) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks);
      },
    },
    close: async () => {
      await door.close();
      await bed.stop();
      await rm(folder, { recursive: true });
    },
  };
};

const missing = lacking();
tellsOnFailure(() => asterisk);
if (missing) describe(`telephony contract: asterisk`, () => it.skip(missing, () => {}));
else describeTelephony('asterisk', aBed, { rejects: '551130000008' });
