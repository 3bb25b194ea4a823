-- `had_account` was set when an account was erased. It is set now when one opens, because a person gets one trial.
UPDATE users SET had_account = true WHERE NOT had_account AND id IN (SELECT user_id FROM members WHERE role = 'owner');
