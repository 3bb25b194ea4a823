/** SQL: ends each attempt to link a device of the account $1. */
export const endLinks = `UPDATE devices SET desired_state = 'unlinked', state = 'disconnected', state_reason = 'link_cancelled',
    state_at = now(), pairing_method = NULL, pairing_number = NULL, pairing_code = NULL, pairing_until = NULL
  WHERE account_id = $1 AND NOT linked AND desired_state = 'linked'`;
