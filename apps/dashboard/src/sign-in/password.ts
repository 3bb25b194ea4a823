/** The gateway refuses shorter ones; said here so that nobody has to be refused. */
export const passwordMinLength = 10;
