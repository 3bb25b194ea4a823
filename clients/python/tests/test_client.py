"""What takes more than one call: waiting, pages, events and files. And how arguments are sent."""

from __future__ import annotations

import csv
import os
import unittest
from datetime import datetime, timezone
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, urlsplit

from kurir import UNSET, Kurir, KurirError
from tests.fake_gateway import (
    API_KEY,
    API_SECRET,
    LOST_BEFORE,
    FakeClock,
    FakeGateway,
    Received,
    Reply,
    client,
    refusal,
)

CSV = {"Content-Type": "text/csv; charset=utf-8"}


def query(received: Received) -> dict[str, str]:
    return {name: value for name, (value,) in parse_qs(urlsplit(received.target).query).items()}


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = FakeClock()
        self.gateway = FakeGateway()
        self.addCleanup(self.gateway.close)
        self.kurir = client(self.gateway, self.clock)

    def say(self, *answers: Any) -> None:
        """Answer with each of these once, and then with the last one for ever."""
        left = list(answers)
        self.gateway.answer = lambda _request: left.pop(0) if len(left) > 1 else left[0]


class SettingsTest(ClientTest):
    def test_come_from_the_environment(self) -> None:
        settings = {
            "KURIR_BASE_URL": self.gateway.base_url + "/",
            "KURIR_API_KEY": API_KEY,
            "KURIR_API_SECRET": API_SECRET,
            "KURIR_DEVICE_ID": "dev_9",
        }
        with mock.patch.dict(os.environ, settings, clear=True):
            Kurir.from_env().send_message(message="Halo", phone_destination="6281234567890")
        self.assertEqual(self.gateway.header("x-device-id"), ["dev_9"])
        few = mock.patch.dict(os.environ, {"KURIR_API_KEY": API_KEY}, clear=True)
        sentence = "^Set KURIR_BASE_URL, KURIR_API_SECRET.$"
        with few, self.assertRaisesRegex(ValueError, sentence):
            Kurir.from_env()

    def test_an_address_that_cannot_be_signed_is_refused(self) -> None:
        for address in (
            "",
            "example.com",
            "ftp://a",
            "https://a?b",
            "https://u:p@a",
            "https://a#b",
        ):
            with self.subTest(address), self.assertRaisesRegex(ValueError, "base URL"):
                Kurir(address, API_KEY, API_SECRET)

    def test_an_operation_of_a_device_needs_one(self) -> None:
        kurir = Kurir(self.gateway.base_url, API_KEY, API_SECRET)
        with self.assertRaisesRegex(ValueError, "needs the id of a device"):
            kurir.device_info()
        kurir.device_info(device_id="dev_2")
        kurir.account_info()
        self.assertEqual(self.gateway.header("x-device-id"), ["dev_2", None])

    def test_a_path_of_the_address_is_kept_and_signed(self) -> None:
        Kurir(self.gateway.base_url + "/kurir/", API_KEY, API_SECRET).account_info()
        self.assertEqual(self.gateway.received[0].target, "/kurir/api/v1/account/info")


class ArgumentsTest(ClientTest):
    def test_what_is_left_out_is_not_sent_and_null_is_sent_where_it_means_something(self) -> None:
        self.kurir.update_device(name=None, proxy=None, pace_per_minute=UNSET, typing_ms=0)
        self.assertEqual(self.gateway.received[0].json, {"proxy": None, "typing_ms": 0})

    def test_times_lists_and_booleans_of_a_query_are_texts(self) -> None:
        since = datetime(2026, 11, 21, 9, tzinfo=timezone.utc)
        self.kurir.list_messages(since=since, job_ids=["msg_1", "msg_2"], limit=5)
        expected = {"since": "2026-11-21T09:00:00+00:00", "job_ids": "msg_1,msg_2", "limit": "5"}
        self.assertEqual(query(self.gateway.received[0]), expected)
        self.kurir.list_contacts(has_consent=False, attribute="kota:Bandung & lain")
        expected = {"has_consent": "false", "attribute": "kota:Bandung & lain"}
        self.assertEqual(query(self.gateway.received[1]), expected)

    def test_a_time_of_a_body_needs_its_zone(self) -> None:
        def send(at: datetime) -> None:
            self.kurir.send_message(message="Halo", phone_destination="62812", send_at=at)

        send(datetime(2026, 11, 21, 9, tzinfo=timezone.utc))
        self.assertEqual(self.gateway.received[0].json["send_at"], "2026-11-21T09:00:00+00:00")
        with self.assertRaisesRegex(ValueError, "zone"):
            send(datetime(2026, 11, 21, 9))

    def test_an_idempotency_key_is_sent_as_it_is_signed(self) -> None:
        self.kurir.renew_account(idempotency_key=" renew-\u00e9 ", payment_method="ordinary")
        sent = self.gateway.header("idempotency-key")[0] or ""
        self.assertEqual(sent.encode("latin-1").decode(), "renew-\u00e9")


class PagesTest(ClientTest):
    def test_are_read_one_after_the_other(self) -> None:
        pages = [[1, 2], [], [3]]
        cursors = ["10", "20", None]
        self.say(*({"messages": m, "next_cursor": c} for m, c in zip(pages, cursors)))
        self.assertEqual(list(self.kurir.iter_messages(status="failed", limit=2)), [1, 2, 3])
        asked = [query(one) for one in self.gateway.received]
        filters = {"status": "failed", "limit": "2"}
        expected = [filters, {**filters, "cursor": "10"}, {**filters, "cursor": "20"}]
        self.assertEqual(asked, expected)

    def test_are_asked_for_only_when_they_are_needed(self) -> None:
        self.say({"recipients": [1, 2], "next_cursor": "10"})
        self.assertEqual(next(self.kurir.iter_broadcast_recipients("brc_1")), 1)
        self.assertEqual(len(self.gateway.received), 1)


class WaitForJobTest(ClientTest):
    def test_returns_the_job_when_it_reaches_the_status(self) -> None:
        states = ("queued", "queued", "sent", "delivered")
        self.say(*({"job_id": "msg_1", "status": status} for status in states))
        seen: list[str] = []
        job = self.kurir.wait_for_job("msg_1", on_status=lambda one: seen.append(one["status"]))
        self.assertEqual(job["status"], "delivered")
        self.assertEqual(seen, ["queued", "sent", "delivered"])
        self.assertEqual(self.clock.slept[0], 0.2)

    def test_returns_a_job_that_ended_otherwise(self) -> None:
        self.say({"job_id": "msg_1", "status": "failed"})
        self.assertEqual(self.kurir.wait_for_job("msg_1", until="sent")["status"], "failed")

    def test_raises_with_the_last_job_when_the_time_is_over(self) -> None:
        self.say({"job_id": "msg_1", "status": "sent"})
        with self.assertRaises(KurirError) as caught:
            self.kurir.wait_for_job("msg_1", until="read", timeout=10)
        self.assertEqual(caught.exception.code, "WAIT_TIMEOUT")
        self.assertEqual(caught.exception.last_job["status"], "sent")
        self.assertIn("msg_1 was not read within 10 s; it is sent.", str(caught.exception))
        self.assertAlmostEqual(sum(self.clock.slept), 10)

    def test_goes_on_through_an_outage(self) -> None:
        self.say({"job_id": "msg_1", "status": "queued"}, {"job_id": "msg_1", "status": "sent"})
        kurir = client(self.gateway, self.clock, max_retries=0)

        def fail(_job: Any) -> None:
            self.gateway.fail(*[LOST_BEFORE] * 3)

        self.assertEqual(
            kurir.wait_for_job("msg_1", until="sent", on_status=fail)["status"], "sent"
        )

    def test_does_not_wait_past_the_deadline_for_a_gateway_that_asks_for_time(self) -> None:
        self.say({"job_id": "msg_1", "status": "sent"})

        def fail(_job: Any) -> None:
            self.gateway.fail(*[refusal(503, "SERVICE_UNAVAILABLE", Retry_After="50")] * 99)

        with self.assertRaises(KurirError) as caught:
            self.kurir.wait_for_job("msg_1", until="read", timeout=1, on_status=fail)
        self.assertEqual(caught.exception.code, "WAIT_TIMEOUT")
        self.assertAlmostEqual(sum(self.clock.slept), 1)

    def test_raises_the_error_of_the_first_look_up(self) -> None:
        self.gateway.fail(refusal(404, "JOB_NOT_FOUND"))
        with self.assertRaises(KurirError) as caught:
            self.kurir.wait_for_job("msg_1")
        self.assertEqual(caught.exception.code, "JOB_NOT_FOUND")


class EventsTest(ClientTest):
    def test_continue_after_the_cursor_through_an_outage(self) -> None:
        pages = (
            {"events": [{"id": "evt_1"}, {"id": "evt_2"}], "next_cursor": "2", "has_more": True},
            {"events": [{"id": "evt_3"}], "next_cursor": "3", "has_more": False},
        )
        self.say(*pages)
        feed = client(self.gateway, self.clock, max_retries=0).iter_events(
            after="earliest", types=["message.sent", "message.read"]
        )
        events = iter(feed)
        self.assertEqual(next(events)["id"], "evt_1")
        # The second event of the page is not handled yet.
        self.assertEqual(feed.cursor, "earliest")
        next(events)
        self.gateway.fail(LOST_BEFORE, refusal(503, "SERVICE_UNAVAILABLE"))
        self.assertEqual(next(events)["id"], "evt_3")
        self.assertEqual(feed.cursor, "2")
        asked = [query(one) for one in self.gateway.received]
        types = "message.sent,message.read"
        self.assertEqual(asked[0], {"after": "earliest", "types": types, "wait": "25"})
        self.assertEqual([one["after"] for one in asked], ["earliest", "2", "2", "2"])
        self.assertEqual(self.clock.slept, [0.5, 1])

    def test_end_with_the_newest_event_on_request(self) -> None:
        self.say(
            {"events": [1], "next_cursor": "1", "has_more": True},
            {"events": [2], "next_cursor": "2", "has_more": False},
        )
        feed = self.kurir.iter_events(after="earliest", follow=False)
        self.assertEqual((list(feed), feed.cursor), ([1, 2], "2"))
        self.assertEqual(query(self.gateway.received[0])["wait"], "0")

    def test_raise_a_refusal_for_good(self) -> None:
        self.gateway.fail(refusal(410, "CURSOR_EXPIRED"))
        with self.assertRaises(KurirError) as caught:
            list(self.kurir.iter_events(after="1"))
        self.assertEqual(caught.exception.code, "CURSOR_EXPIRED")


class FilesTest(ClientTest):
    def test_are_lines_that_the_module_csv_reads(self) -> None:
        text = 'phone,name\r\n62812,"Budi\r\nS\u00e9"\r\n'
        self.gateway.fail(refusal(503, "SERVICE_UNAVAILABLE"))
        self.say(Reply(200, text, CSV))
        rows = list(csv.reader(self.kurir.export_contacts(list="promo")))
        self.assertEqual(rows, [["phone", "name"], ["62812", "Budi\r\nS\u00e9"]])
        self.assertEqual(query(self.gateway.received[0]), {"list": "promo"})

    def test_a_refusal_is_raised_before_the_first_line(self) -> None:
        self.gateway.fail(refusal(404, "IMPORT_NOT_FOUND"))
        with self.assertRaises(KurirError) as caught:
            next(self.kurir.export_refused_rows("imp_1"))
        self.assertEqual(caught.exception.code, "IMPORT_NOT_FOUND")

    def test_a_file_that_breaks_off_is_no_whole_file(self) -> None:
        self.say(Reply(200, "a,b\n1,2\n", {**CSV, "Content-Length": "100"}))
        with self.assertRaises(KurirError) as caught:
            list(self.kurir.export_broadcast_results("brc_1"))
        self.assertIn("the file broke off", caught.exception.message)


if __name__ == "__main__":
    unittest.main()
