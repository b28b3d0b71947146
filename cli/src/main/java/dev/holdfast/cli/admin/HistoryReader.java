// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the history of a server, and goes on from where it was read last. */
final class HistoryReader {
  private static final int PAGE = 100;

  private final AdminClient client;
  private final String query;
  private long last;

  /**
   * @param object only what happened to it; null for everything
   */
  HistoryReader(AdminClient client, @Nullable String object) {
    this.client = client;
    query = object == null ? "" : "&object=" + AdminClient.encode(object);
  }

  /** The last entries, oldest first. */
  List<JsonObject> newest(int limit) {
    List<JsonObject> page = page(limit, "");
    Collections.reverse(page);
    remember(page);
    return page;
  }

  /** What came after the last entry that was read, oldest first. */
  List<JsonObject> since() {
    List<JsonObject> news = new ArrayList<>();
    String before = "";
    while (true) {
      List<JsonObject> page = page(PAGE, before);
      for (JsonObject entry : page) {
        if (id(entry) > last) {
          news.add(entry);
        }
      }
      if (page.size() < PAGE || id(page.get(page.size() - 1)) <= last) {
        Collections.reverse(news);
        remember(news);
        return news;
      }
      before = "&before=" + id(page.get(page.size() - 1));
    }
  }

  private void remember(List<JsonObject> entries) {
    entries.forEach(entry -> last = Math.max(last, id(entry)));
  }

  private List<JsonObject> page(int limit, String before) {
    return JsonFields.of(client.get("/api/v1/history?limit=" + limit + before + query), "items");
  }

  private static long id(JsonObject entry) {
    return JsonFields.number(entry, "id");
  }
}
