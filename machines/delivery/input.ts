/** What a delivery is born with. Plain JSON; what is a secret is looked up when it is carried, and never stands here. */
import type { DeliveryPurpose } from '../vocabulary/delivery.ts';

export interface DeliveryInput {
  /** Which courier carries it. */
  purpose: DeliveryPurpose;
  /** What is carried and by which way, in the courier's own terms: `ResultsSubject`, `CallbackSubject`. */
  subject: object;
  /** What it is about, for people: `campaign 17`. */
  about: string;
  /** Where it goes, for people and without secrets: `sftp://ana@files.example:22/in/campaign-17.csv`. */
  target: string;
}

/** The subject of `results`: the file of a campaign's call results (spec 4.3 `relftp`). */
export interface ResultsSubject {
  campaign: number;
  /** The delivery profile. */
  profile: number;
  /** Name of the file; every attempt writes the same. */
  file: string;
}

/** The subject of `callback`: an event for a customer's own address. It holds no secrets. */
export interface CallbackSubject {
  /** http or https, without credentials. */
  url: string;
  /** Names the event (`webhook-id`): the same for every attempt, and should it ever be sent twice. No dots. */
  eventId: string;
  contentType: string;
  /** As it is sent, byte by byte. */
  body: string;
}
