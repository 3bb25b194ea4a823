import { expect, test } from 'vitest';
import { type SessionState, SessionStateMachine, sessionMoves, sessionStates } from './session-state.js';

const waysTo: Record<SessionState, readonly SessionState[]> = {
  connecting: [],
  connected: ['connected'],
  opening: ['connected', 'opening'],
  open: ['connected', 'opening', 'open'],
  'logging-out': ['connected', 'logging-out'],
  closing: ['connected', 'closing'],
  over: ['over'],
};

function machineIn(state: SessionState): SessionStateMachine {
  const machine = new SessionStateMachine();
  for (const step of waysTo[state]) machine.move(step);
  return machine;
}

test.each(sessionStates)('%s moves only where the table says', (from) => {
  for (const to of sessionStates) {
    const machine = machineIn(from);
    const isAllowed = (sessionMoves[from] as readonly SessionState[]).includes(to);
    expect([machine.move(to), machine.now]).toEqual([isAllowed, isAllowed ? to : from]);
  }
});

test('a session that is over moves nowhere', () => {
  expect(sessionMoves.over).toEqual([]);
});

test('a session carries messages from the login until it is over, even while it logs out or closes', () => {
  const connected = sessionStates.filter((state) => machineIn(state).isConnected);
  expect(connected).toEqual(['connected', 'opening', 'open', 'logging-out', 'closing']);
});

test('a session that closes before the login never carried messages', () => {
  const machine = new SessionStateMachine();
  machine.move('closing');
  expect([machine.now, machine.isConnected, machine.move('connected')]).toEqual(['closing', false, false]);
});

test('`moveFrom` moves the session only if nothing else has moved it', () => {
  const machine = machineIn('opening');
  machine.move('logging-out');
  expect([machine.moveFrom('opening', 'connected'), machine.now]).toEqual([false, 'logging-out']);
});
