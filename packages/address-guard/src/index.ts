export { type AddressPolicy, problemOfUrl, type UrlProblem } from './called-url.js';
export { fetchBytes, FetchFailed, fetchText, type FetchOptions } from './fetch-text.js';
export { createPoster, type PostAnswer, type Poster, type PostFailure, type PosterOptions } from './post-body.js';
export { createProxyAgent, type PrivateProxies, type ProxyFailure, type ProxyOptions } from './proxy-agent.js';
export { hostOf, isPublicAddress, namesPrivateHost } from './public-address.js';
export { AddressNotAllowed, createGuardedLookup, createPublicLookup } from './public-lookup.js';
