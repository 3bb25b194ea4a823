/**
 * The content security policy allows only styles that carry this answer's nonce; what locks the page's scroll behind a
 * dialog writes such a style. Vite leaves the nonce in a meta element.
 */
import { setNonce } from 'get-nonce';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce !== undefined && nonce !== '') setNonce(nonce);
