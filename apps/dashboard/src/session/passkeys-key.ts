/** The key of the list of the person's passkeys in the query cache. */
export const passkeysKey = ['auth', 'passkeys'];
