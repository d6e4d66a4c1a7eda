export const variables = {
  MY_API_KEY: "correct-horse-9",
  DEEP_SECRET: "correct-horse-9-battery",
  DATABASE_URL: "postgres://u:Sup3rS3cretPw@db/x",
  ODD_TOKEN: ':x["y\\z\n1',
};
