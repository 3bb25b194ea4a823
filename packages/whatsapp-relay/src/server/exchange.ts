/**
 * Takes what connections read and passes it to the right part of the relay: first to pairing or login, then by stanza
 * tag. From its handshake on, a connection belongs to one candidate or to one device.
 */
import type { Candidate } from '../linking/candidate.js';
import type { Connection, ConnectionHandler } from '../wire/connection.js';
import type { Device } from '../devices/account.js';
import { announceDevice } from '../people/device-list.js';
import { parseJid } from '../wire/jid.js';
import { logIn, refuseOldClient } from './login.js';
import { handleMessage } from '../sending/message.js';
import { isGenuineDisplay, type Pairings } from '../linking/pairings.js';
import { handleChatState, handlePresence, leave } from '../people/presence.js';
import type { ClientPayload } from '../wire/protobuf.js';
import { handleQuery, queryError, queryResult } from './query.js';
import { handleReceipt } from '../sending/receipt.js';
import { child, type Stanza, stanza } from '../wire/stanza.js';
import type { Switchboard } from '../switchboard/switchboard.js';

type Peer = { readonly candidate: Candidate } | { readonly device: Device };

export class Exchange implements ConnectionHandler {
  private readonly peers = new Map<Connection, Peer>();

  constructor(
    private readonly board: Switchboard,
    private readonly pairings: Pairings,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  failed(error: unknown): void {
    this.onFailure(error);
  }

  async opened(connection: Connection, payload: ClientPayload): Promise<void> {
    if (payload.kind === 'registration') {
      if (refuseOldClient(this.board, connection, payload)) return;
      const candidate = this.pairings.begin(connection, payload.registration);
      this.peers.set(connection, { candidate });
      return;
    }
    const device = logIn(this.board, connection, payload);
    if (device) this.peers.set(connection, { device });
  }

  async stanza(connection: Connection, received: Stanza): Promise<void> {
    const peer = this.peers.get(connection);
    if (!peer) return;
    if ('candidate' in peer) await this.fromCandidate(peer.candidate, received);
    else this.fromDevice(peer.device, received);
  }

  closed(connection: Connection): void {
    const peer = this.peers.get(connection);
    this.peers.delete(connection);
    if (!peer) return;
    if ('candidate' in peer) return this.pairings.end(peer.candidate);
    this.board.journal.record({ kind: 'disconnected', device: peer.device.name });
    if (peer.device.connection !== connection) return;
    peer.device.connection = null;
    leave(peer.device);
  }

  private fromDevice(from: Device, received: Stanza): void {
    switch (received.tag) {
      case 'iq':
        return handleQuery(this.board, from, received);
      case 'message':
        return handleMessage(this.board, from, received);
      case 'receipt':
        return handleReceipt(this.board, from, received);
      case 'chatstate':
        return handleChatState(this.board, from, received);
      case 'presence':
        return handlePresence(this.board, from, received);
      case 'ack': {
        const { class: tag = '', id = '', to, type, error } = received.attrs;
        if (tag === 'message' && error !== undefined) from.rejected(id);
        else from.acknowledged(tag, id, { from: to, type });
        return this.recordAcknowledgement(from.name, received);
      }
    }
  }

  private async fromCandidate(candidate: Candidate, received: Stanza): Promise<void> {
    if (received.tag === 'ack') {
      if (received.attrs['type'] === 'companion_reg_refresh') candidate.refresh?.take();
      for (const hear of candidate.onAcknowledged) hear(received.attrs['id'] ?? '');
      return this.recordAcknowledgement(null, received);
    }
    if (received.tag !== 'iq') return;
    const { type } = received.attrs;
    if (type === 'result' || type === 'error') return this.candidateAnswered(candidate, received);
    const registration = child(received, 'link_code_companion_reg');
    if (registration) return this.pairByCode(candidate, received, registration);
    candidate.connection.send(queryResult(received, []));
  }

  private candidateAnswered(candidate: Candidate, answer: Stanza): void {
    const link = this.pairings.confirm(candidate, answer);
    if (link) {
      this.board.journal.record({ kind: 'linked', device: link.device.name, method: link.method });
      announceDevice(this.board, link.device, 'add');
      return;
    }
    if (answer.attrs['id'] !== candidate.offerId) return;
    // This answers `pair-device`: the companion has its references and shows a QR.
    this.board.journal.record({ kind: 'pairing', method: 'qr' });
    const refresh = this.board.faults.pairingFaults.take(null, null, (fault) => fault.kind === 'registration-refresh');
    if (refresh) this.pairings.announceRefresh(candidate);
  }

  private async pairByCode(candidate: Candidate, request: Stanza, registration: Stanza): Promise<void> {
    const { connection } = candidate;
    if (registration.attrs['stage'] !== 'companion_hello') {
      return this.finishCode(candidate, request, registration);
    }
    const number = parseJid(registration.attrs['jid'])?.user ?? '';
    this.board.journal.record({ kind: 'pairing', method: 'pairing_code' });
    const fault = this.board.faults.pairingFaults.take(number, null, ({ kind }) => kind === 'refuse-code');
    const refusal = fault?.kind === 'refuse-code' ? fault.error : isGenuineDisplay(registration) ? null : 400;
    if (refusal !== null) {
      connection.send(queryError(request, refusal, refusal === 429 ? 'rate-overlimit' : 'bad-request'));
      return;
    }
    const reference = this.pairings.codes.request(candidate, number, registration);
    connection.send(
      queryResult(request, [
        stanza('link_code_companion_reg', { stage: 'companion_hello' }, [
          stanza('link_code_pairing_ref', {}, reference),
        ]),
      ]),
    );
  }

  private async finishCode(candidate: Candidate, request: Stanza, registration: Stanza): Promise<void> {
    const { codes } = this.pairings;
    const fault = this.board.faults.pairingFaults.take(null, null, ({ kind }) => kind === 'refuse-finish');
    if (fault?.kind !== 'refuse-finish') {
      candidate.connection.send(queryResult(request, []));
      return codes.finish(candidate, registration);
    }
    candidate.connection.send(queryError(request, fault.error, 'refused'));
    codes.refuse(candidate);
  }

  private recordAcknowledgement(device: string | null, { attrs }: Stanza): void {
    const { class: of = '', id = '', error } = attrs;
    this.board.journal.record({ kind: 'acknowledgement', device, of, id, error: error ?? null });
  }
}
