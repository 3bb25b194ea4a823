export { fetchBytes, FetchFailed, fetchText, type FetchOptions } from './fetch-text.js';
export { createProxyAgent, type PrivateProxies, type ProxyFailure, type ProxyOptions } from './proxy-agent.js';
export { hostOf, isPublicAddress, namesPrivateHost } from './public-address.js';
export { AddressNotAllowed, createPublicLookup } from './public-lookup.js';
