/** Brings mail to machines: into the mailbox of one that is here, else the row is read, and says who takes it. */
import type { Charts } from './charts.ts';
import { idAfterStep } from './ids.ts';
import type { Inbox } from './inbox.ts';
import type { Lane } from './lane.ts';
import type { Loader } from './loader.ts';
import { type Mail, rowsOf } from './mail.ts';
import type { Membership } from './membership.ts';
import { Resident, type Residents } from './resident.ts';
import type { MachineRow } from './store.ts';
import { thawRow } from './thaw.ts';
import type { Timekeeper } from './timekeeper.ts';

export interface PostScope {
  residents: Residents;
  charts: Charts;
  membership: Membership;
  inbox: Inbox;
  time: Timekeeper;
  loader: Loader;
  /** The lane that a machine always goes through. */
  laneOf(id: number): Lane;
  /** A machine was brought here that nothing waits for. */
  rested(resident: Resident): void;
}

export class Post {
  readonly #scope: PostScope;

  constructor(scope: PostScope) {
    this.#scope = scope;
  }

  /** Gives a machine mail, wherever it is. */
  bring(account: number, id: number, mail: Mail): void {
    const resident = this.#scope.residents.get(id);
    if (!resident) this.#fetch(account, id, mail);
    else if (resident.account !== account) this.#refuse(mail);
    else {
      resident.mailbox.push(mail);
      this.wakeUp(resident);
    }
  }

  /** Puts a resident in its lane's queue when it is free to be stepped. */
  wakeUp(resident: Resident): void {
    const { phase, committed } = resident;
    const mayStep = phase === 'idle' ? committed !== null : phase === 'patient' && !resident.givesWay;
    if (mayStep) this.#scope.laneOf(resident.id).queue(resident);
  }

  /** The machine, if it is in memory and its row is read. */
  known(id: number): Resident | undefined {
    const resident = this.#scope.residents.get(id);
    return resident?.committed ? resident : undefined;
  }

  /** This node is a new incarnation: what it held is anybody's. Mail finds its rows anew. */
  forgetAll(): void {
    for (const resident of [...this.#scope.residents]) if (resident.phase === 'idle') this.#forget(resident);
  }

  /**
   * The shard is open again. Rows of the inbox that wait in mailboxes may have been heard before the database went back, and
   * been read of it once more: those that still stand are read anew.
   */
  reopened(): void {
    const { inbox, residents } = this.#scope;
    for (const resident of [...residents]) {
      const { id, mailbox } = resident;
      if (!mailbox.some(isOfInbox)) continue;
      resident.mailbox = mailbox.filter((mail) => !isOfInbox(mail));
      for (const mail of mailbox.filter(isOfInbox)) inbox.giveBack(mail, id);
    }
    inbox.reopened();
  }

  /** Rows that were asked for. */
  loaded(found: readonly { resident: Resident; row: MachineRow | undefined }[]): void {
    const { incarnation } = this.#scope.membership;
    for (const { resident, row } of found) {
      resident.phase = 'idle';
      this.place(resident, resident.mailbox.splice(0), row, row?.heldBy === incarnation);
    }
  }

  /** What stands in the row decides who takes the mail. `steady`: ours now as when the mail came. */
  place(resident: Resident, given: Mail[], row: MachineRow | undefined, steady: boolean): void {
    const mails = steady ? given : this.#withoutRows(resident.id, given.map(asAsked), row);
    const chart = row && this.#scope.charts.of(row);
    if (!row || row.account !== resident.account || isOver(row, mails)) {
      for (const mail of [...mails, ...resident.mailbox.splice(0)]) this.#refuse(mail);
      this.#forget(resident);
    } else if (chart && this.#mayTake(row)) {
      if (row.heldBy !== this.#scope.membership.incarnation)
        this.#scope.membership.advanceIds(idAfterStep(row.stepId));
      resident.committed = thawRow(chart, row);
      resident.mailbox.unshift(...this.#inherited(row), ...mails);
      if (resident.mailbox.length > 0) this.#scope.laneOf(resident.id).queue(resident);
      else this.#scope.rested(resident);
    } else {
      void this.#scope.inbox.forward(row, [...mails, ...resident.mailbox.splice(0)]);
      this.#forget(resident);
    }
  }

  /** A row read because something on its agenda is due. */
  fetchedForTimers(account: number, id: number, row: MachineRow | undefined): void {
    const { charts, membership, residents, time } = this.#scope;
    const chart = row && charts.of(row);
    if (!row || !chart || row.endedAt !== null || row.heldBy !== membership.incarnation) return;
    if (!residents.get(id)) {
      const resident = new Resident(account, id);
      resident.committed = thawRow(chart, row);
      residents.add(resident);
    }
    const resident = this.known(id);
    if (resident) time.due(resident);
  }

  #fetch(account: number, id: number, mail: Mail): void {
    const resident = new Resident(account, id);
    resident.mailbox.push(mail);
    this.#scope.residents.add(resident);
    this.#scope.loader.read(resident);
  }

  #mayTake({ heldBy }: MachineRow): boolean {
    const { membership } = this.#scope;
    return heldBy === membership.incarnation || membership.isDead(heldBy);
  }

  /** What a machine that another incarnation held hears before anything else. */
  #inherited({ heldBy, revision }: MachineRow): Mail[] {
    return heldBy === this.#scope.membership.incarnation ? [] : [{ what: 'takenUp', upTo: revision }];
  }

  /**
   * The machine changed hands since its inbox was read: another may have heard the rows. Those that still stand are
   * read again, also those that could not be taken here. (A living holder is only told that there is mail.)
   */
  #withoutRows(id: number, mails: Mail[], row: MachineRow | undefined): Mail[] {
    const { inbox } = this.#scope;
    if (row && !this.#mayTake(row)) return mails;
    const kept = mails.filter((mail) => rowsOf(mail).length === 0);
    for (const mail of mails) inbox.giveBack(mail, id);
    // Only now: the read that brings them must begin after they were given back.
    if (kept.length < mails.length) inbox.doubt();
    return kept;
  }

  /** Nobody will take this mail. */
  #refuse(mail: Mail): void {
    if (mail.what === 'event') {
      this.#scope.inbox.let(mail);
      mail.done?.resolve({ outcome: 'gone' });
    } else if (mail.what === 'begin') mail.done?.(false);
  }

  #forget(resident: Resident): void {
    this.#scope.residents.remove(resident);
    this.#scope.time.armAt(resident.account, resident.id, null);
  }
}

const isOfInbox = (mail: Mail): boolean => rowsOf(mail).length > 0;

/** A claim was refused to a step on what stood before: its mail is tried anew on what stands now. */
const asAsked = (mail: Mail): Mail => (mail.what === 'claimRefused' ? asAsked(mail.asked) : mail);

/** An ended machine hears nothing more; only inbox rows must still be taken away by a step. */
const isOver = (row: MachineRow, mails: readonly Mail[]): boolean =>
  row.endedAt !== null && !mails.some((mail) => rowsOf(mail).length > 0);
