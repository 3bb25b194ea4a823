/** An invitation leads into the account, and a person changes the own profile: address, language, accounts. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, reopenPerson, whyNoBrowser } from './browser/browser.js';
import { password, signIn, signUp } from './browser/dashboard-person.js';
import { inspectBoth, narrow, wide } from './browser/inspect-page.js';
import { mailedLink, openMail } from './browser/mailbox.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
let browser: Browser;
let owner: Person;
beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  owner = await openPerson(browser, stack.baseUrl);
  await signUp(owner.page, 'Toko Siti', 'siti@toko.example');
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function invite(email: string): Promise<string> {
  const { page } = owner;
  await page.goto('/app/members');
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByText('Invitation sent to').waitFor();
  return mailedLink(page, email);
}

const isHome = (url: URL) => url.pathname.replace(/\/$/, '') === '/app';

describe.skipIf(chromiumPath === null)(`an invitation (skipped: ${whyNoBrowser})`, () => {
  let guest: Person;

  test('ends in seven days, and the page of members leads to its mail', async () => {
    const { page } = owner;
    await invite('later@toko.example');
    await page.goto('/app/members');
    await page.getByText(/expires in 7 days/).waitFor();
    await inspectBoth(owner, 'members-invited');
    await page.getByRole('link', { name: 'Open the mailbox' }).click();
    await page.getByRole('heading', { name: 'You are invited to join Toko Siti' }).waitFor();
  });

  test('leads a new person into the account, with the address filled in and no further click', async () => {
    guest = await openPerson(browser, stack.baseUrl);
    const { page } = guest;
    await page.goto(await invite('budi@toko.example'));
    await page.getByText('Toko Siti (siti@toko.example) invites you to join Toko Siti.').waitFor();
    await inspectBoth(guest, 'join-new');
    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByText('You then join Toko Siti as developer.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('budi@toko.example');
    expect(await page.getByLabel('Email').getAttribute('readonly')).not.toBeNull();
    await inspectBoth(guest, 'sign-up-invited');
    await page.getByLabel('Your name').fill('Budi');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(isHome);
    await page
      .getByRole('button', { name: /Toko Siti/ })
      .first()
      .waitFor();
    await page.goto('/app/members');
    await page.getByText('budi@toko.example').first().waitFor();
  });

  test('joins a registered person with the sign-in, and tells another person', async () => {
    const person = await openPerson(browser, stack.baseUrl);
    const { page, context } = person;
    await signUp(page, 'Rina', 'rina@toko.example');
    const link = await invite('rina@toko.example');
    await context.clearCookies();
    await page.goto(link);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill('rina@toko.example');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(isHome);
    await page
      .getByRole('button', { name: /Toko Siti/ })
      .first()
      .waitFor();
    await page.goto(await invite('lain@toko.example'));
    await page.getByText('You are signed in as rina@toko.example.').waitFor();
    await inspectBoth(person, 'join-other-address');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Create account' }).waitFor();
    await context.close();
  });

  test('an empty address is required, in the words of each language', async () => {
    const person = await openPerson(browser, stack.baseUrl, { locale: 'id-ID' });
    await person.page.goto('/app/sign-in');
    await person.page.getByRole('button', { name: 'Masuk', exact: true }).click();
    expect(await person.page.getByText('Wajib diisi.').count()).toBe(2);
    await person.context.close();
  });

  test('a person who only joined opens an account of their own, and leaves the other one', async () => {
    const { page } = guest;
    await page.goto('/app/profile');
    await inspectBoth(guest, 'profile-joined');
    await page.getByRole('button', { name: 'Leave the account' }).waitFor();
    await page.getByLabel('Name of the account').fill('Toko Budi');
    await page.getByRole('button', { name: 'Open the account' }).click();
    await page.getByRole('heading', { name: 'Welcome to Kurir' }).waitFor();
    await page.goto('/app/profile');
    await page.getByText('You are the only owner of Toko Budi').waitFor();
    expect(await page.getByRole('button', { name: 'Leave the account' }).count()).toBe(0);
    await page
      .getByRole('button', { name: /Toko Budi/ })
      .first()
      .click();
    await page.getByRole('menuitemradio', { name: 'Toko Siti' }).click();
    await page.waitForURL(isHome);
    await page
      .getByRole('button', { name: /Toko Siti/ })
      .first()
      .waitFor();
    await page.goto('/app/profile');
    await page.getByRole('button', { name: 'Leave the account' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    await inspectBoth(guest, 'profile-leave');
    await dialog.getByRole('button', { name: 'Leave the account' }).click();
    await page.waitForURL(isHome);
    await page
      .getByRole('button', { name: /Toko Budi/ })
      .first()
      .waitFor();
    await guest.context.close();
  });
});

describe.skipIf(chromiumPath === null)(`a profile (skipped: ${whyNoBrowser})`, () => {
  test('takes a new address once it is confirmed', async () => {
    const { page } = owner;
    await page.goto('/app/profile');
    await page.getByRole('button', { name: 'Email me the link' }).click();
    await page.getByText('Required.').waitFor();
    await page.getByLabel('New email address').fill('Siti@Toko.example');
    await page.getByText('This is your address already.').waitFor();
    await page.getByLabel('New email address').fill('baru@toko.example');
    await page.getByRole('button', { name: 'Email me the link' }).click();
    await page.getByText('a link is on its way to it').waitFor();
    await inspectBoth(owner, 'profile-link-sent');
    await openMail(page, 'A new email address was asked for');
    expect(await page.getByRole('article').textContent()).toContain('To: siti@toko.example');
    await page.goto(await mailedLink(page, 'baru@toko.example'));
    await page.getByRole('button', { name: 'Use the new address' }).click();
    await page.getByText('You now sign in with baru@toko.example.').waitFor();
    await inspectBoth(owner, 'profile-address-confirmed');
    await owner.context.clearCookies();
    await signIn(page, 'baru@toko.example', password);
    await page.waitForURL(isHome);
  });

  test('changes the language of the pages and of the mails', async () => {
    owner = await reopenPerson(browser, stack.baseUrl, owner, { scheme: 'dark', width: narrow });
    const { page } = owner;
    await page.goto('/app/profile');
    await page.getByLabel('Language').selectOption('id');
    await page.getByRole('heading', { name: 'Profil' }).waitFor();
    await inspectBoth(owner, 'profile-id');
    await page.getByLabel('Nama Anda').fill('Siti Aminah');
    await page.getByRole('button', { name: 'Simpan' }).click();
    await page.getByText('Nama disimpan').waitFor();
    await page.goto('/app/members');
    await page.getByRole('button', { name: 'Undang seseorang' }).click();
    await page.getByLabel('Email').fill('tamu@toko.example');
    await page.getByRole('button', { name: 'Kirim undangan' }).click();
    await page.getByText('Undangan dikirim').waitFor();
    await openMail(page, 'Anda diundang bergabung dengan Toko Siti');
    expect(await page.getByRole('article').textContent()).toContain('Siti Aminah mengundang Anda');
    await page.setViewportSize({ width: wide, height: 900 });
  });
});
