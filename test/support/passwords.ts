/** The first of 8 characters and more in Django's list, which Docket's own was not made from. */
export const COMMONEST = (
  "123456789 password 12345678 password1 1234567890 iloveyou 1q2w3e4r5t qwertyuiop 1qaz2wsx 1q2w3e4r qwerty123 987654321 " +
  "asdfghjkl 123123123 princess computer football 1234qwer sunshine iloveyou1 fuckyou1 789456123 princess1 abcd1234 " +
  "11111111 superman football1 jordan23 12qwaszx baseball 123456789a q1w2e3r4t5y6 88888888 michael1 blink182 qwer1234 " +
  "linkedin babygirl1 q1w2e3r4 michelle liverpool 0123456789 iloveyou2 jennifer babygirl 147258369 jessica1 0987654321 " +
  "anthony1 qazwsxedc trustno1 baseball1 1111111111 basketball passw0rd samantha chocolate asdf1234 qwerty12 charlie1"
).split(" ");
