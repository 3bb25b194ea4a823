import { expect, test } from 'vitest';
import { type SessionState, SessionStateHolder, sessionMoves, sessionStates } from './session-state.js';

const waysTo: Record<SessionState, readonly SessionState[]> = {
  connecting: [],
  connected: ['connected'],
  opening: ['connected', 'opening'],
  open: ['connected', 'opening', 'open'],
  'logging-out': ['connected', 'logging-out'],
  closing: ['connected', 'closing'],
  over: ['over'],
};

function holderIn(state: SessionState): SessionStateHolder {
  const holder = new SessionStateHolder();
  for (const step of waysTo[state]) holder.move(step);
  return holder;
}

test.each(sessionStates)('%s moves only where the table says', (from) => {
  for (const to of sessionStates) {
    const holder = holderIn(from);
    const isAllowed = (sessionMoves[from] as readonly SessionState[]).includes(to);
    expect([holder.move(to), holder.now]).toEqual([isAllowed, isAllowed ? to : from]);
  }
});

test('a session that is over moves nowhere', () => {
  expect(sessionMoves.over).toEqual([]);
});

test('a session carries messages from the login until it is over, also while it logs out or closes', () => {
  const connected = sessionStates.filter((state) => holderIn(state).isConnected);
  expect(connected).toEqual(['connected', 'opening', 'open', 'logging-out', 'closing']);
});

test('a session that closes before the login never carried messages', () => {
  const holder = new SessionStateHolder();
  holder.move('closing');
  expect([holder.now, holder.isConnected, holder.move('connected')]).toEqual(['closing', false, false]);
});

test('work that was awaited moves the session only if nothing else did', () => {
  const holder = holderIn('opening');
  holder.move('logging-out');
  expect([holder.moveFrom('opening', 'connected'), holder.now]).toEqual([false, 'logging-out']);
});
