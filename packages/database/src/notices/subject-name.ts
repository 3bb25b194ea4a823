/** SQL: the tables that name the subject of a notice, and its name. Null: the subject is gone, or it is the account. */
export const subjectName = 'coalesce(d.name, w.url, b.name, r.plan_name, j.name)';

/** `notices` is the alias of the notices. The joins have the aliases d, w, b, r and j. */
export const subjectJoins = (
  notices: string,
): string => `LEFT JOIN devices d ON d.id = ${notices}.subject_id AND d.deleted_at IS NULL
           LEFT JOIN webhooks w ON w.id = ${notices}.subject_id LEFT JOIN broadcasts b ON b.id = ${notices}.subject_id
           LEFT JOIN renewals r ON r.id = ${notices}.subject_id LEFT JOIN users j ON j.id = ${notices}.subject_id`;
