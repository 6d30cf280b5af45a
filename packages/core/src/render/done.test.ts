import { describe, expect, it } from 'vitest';
import { makeFault } from '../fault.ts';
import { language } from '../index.ts';
import { tellsOfDone, warned } from './done.ts';

it.each([
  'Payment booked as pay_991, but the receipt mail failed: 503',
  'Booking B-77 confirmed. Sending the ticket failed with ECONNRESET',
  'Reservation finalized; notification failed',
  'Item added to cart; price update failed',
  'File moved to /archive, then the index update failed',
  'Mail sent to the customer, but the log could not be written',
  'Appended to the ledger; closing it failed',
  'Refund done; notification service said: rate limit exceeded',
  'Order created. Email provider: too many requests',
  'Order saved; the mailer is throttled',
  'Wrote 3 of 5 rows',
  'Only 3 of 5 rows were written',
  'Uploaded 2/7 files',
  'Sent 40 out of 100 mails',
  'Imported 12 of 20 contacts. The rest was skipped',
  'Zahlung gebucht als pay_991, aber die Quittung konnte nicht gesendet werden',
  'Zahlung gebucht als pay_991, aber der Mailserver antwortet nicht',
  'Bestellung 7 angelegt; Versand der Bestätigung fehlgeschlagen',
  'Überweisung ausgeführt, danach Fehler beim Beleg',
  'Datei wurde gespeichert, jedoch ist der Index nicht erreichbar',
  '3 von 5 Zeilen geschrieben',
  'Paiement enregistré sous pay_991, mais l’envoi du reçu a échoué',
  'Commande créée, mais erreur lors de l’envoi',
  'Pago registrado como pay_991, pero falló el envío del recibo',
  'Pedido creado; error al enviar el correo',
  'Pagamento registrato, ma l’invio della ricevuta è fallito',
  'Pagamento registrado, mas o envio do recibo falhou',
  'Betaling geboekt als pay_991, maar het versturen is mislukt',
  '已付款,但邮件服务不可用 (503)',
  '订单已创建，发送确认邮件失败',
  'Payment booked, but the receipt address is invalid',
  'Payment made; receipt address invalid',
  'Charge went through with invalid memo',
  'Order created, but the email address is invalid',
  'Order 7 was created, but coupon code is required',
  'Order cancelled, but the refund amount is invalid',
  'Charged the card, but you are not authorized to send mail',
  'Message sent, but the session has expired: sign in again',
  'Payment booked, but permission denied for mail',
  'Order created; approval required for shipping',
  'Payment booked, but attachment too large',
  'Payment booked, but the mail service is not ready',
  'Payment booked. The receipt address is missing',
  'Zahlung gebucht, aber die Adresse ist ungültig',
  'Paiement enregistré, mais l’adresse est invalide',
  'Pago registrado, pero la dirección es inválida',
  '已付款，但地址无效',
  'Internal server error after commit',
  'Payment taken, mail rate limited',
  'Money taken, mail failed',
  'Payment received; mail address invalid',
  'Bad Request: payment made, receipt address invalid',
  '400 Bad Request: order placed, phone invalid',
  'Timeout after the payment',
  'Price updated by 5, but the mail failed',
  'Page published at https://pages.example.com/7?draft=no, but the mail failed',
  'Order saved as https://shop.example.com/7?a=b. Sending the mail failed',
])('tells of something that was done: %s', (words) => {
  expect(tellsOfDone(words)).toBe(true);
});

it.each([
  'Invalid status: must be one of created, updated, deleted',
  'Invalid status "created": expected opened, closed; got created',
  'Account closed. Permission denied',
  'The issue was closed, but you are not allowed to comment',
  'Project archived; write access required',
  'The created date is invalid; expected ISO 8601',
  'status: created; amount: required',
  'Request sent with invalid headers',
  'Session started, but the token has expired',
  'Order 7 was cancelled and cannot be refunded',
  'Changes must be saved first; name is required',
  'Order 7 not found',
  '订单已支付，无法取消',
  '订单未支付，服务不可用',
  'Changes are not allowed after booking: error 403',
  'Error: choose a day after payment date',
  'Error: reset after payment failed',
  'Create order: error 500',
  'connect ECONNREFUSED 10.0.0.5:5432',
  'The booking could not be confirmed: the hotel is full, the request failed',
  'Not confirmed; payment failed',
  'Failed to add the item to the cart; price update failed',
  'The item to be added is invalid; update failed',
  'Page 3 of 5 could not be created',
  'Used 3 of 5 requests',
  'Rate limit exceeded: too many messages sent',
  'Username already taken, rate limited',
  'Seat taken, not available',
  'Payment not made, card invalid',
  'File uploaded, type unsupported',
  'Invalid order: payment method missing',
  'Rate limit exceeded, at most 10 orders can be placed a minute',
  '0 of 5 rows written',
  'Attempt 3 of 5 failed',
  'Line 3 of 5 is invalid',
  'Zahlung nicht gebucht, aber der Server antwortet nicht',
  'Zahlung konnte nicht gebucht werden: Fehler beim Verbinden',
  'Es wurde nichts gespeichert: Fehler 7',
  'Fehler beim Verbinden, bitte später',
  'La commande n’a pas été créée, erreur réseau',
  'No se ha creado el pedido; error de red',
  'Bestellung 7 nicht gefunden',
  'Booking confirmed, then rolled back after the mail failed',
  'Zahlung gebucht, nach Fehler aber storniert',
  'HTTP 409: The order was changed by bob',
  '409 Conflict: the page was updated by ada@example.com',
  'HTTP 409 for https://api.example/v1/orders/7?api_key=k-1 The order was shipped',
  'GET https://api.example/v1/orders?state=paid;sort=created, failed: 500',
])('does not: %s', (words) => {
  expect(tellsOfDone(words)).toBe(false);
});

describe('whoever says of every failure whether to repeat it', () => {
  const said = makeFault({
    kind: 'unavailable',
    executed: 'maybe',
    message: 'Payment booked as pay_991, but the receipt mail failed',
    native: { dialect: 'acme', code: 1 },
  });
  const acme = { ...language.dialect('mcp'), id: 'acme' };

  it('is believed, in a dialect of anybody’s', () => {
    const dialects = [{ ...acme, declaresRepetition: true }];
    expect(warned(said, { dialects })).toMatchObject({ retryable: true });
  });

  it.each([[[acme]], [[]]])('is nobody who does not', (dialects) => {
    expect(warned(said, { dialects })).toMatchObject({ retryable: false });
  });
});
