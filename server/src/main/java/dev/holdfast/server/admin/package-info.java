// SPDX-License-Identifier: Apache-2.0
/** What a control plane tells over HTTP. Read only. */
@NullMarked
package dev.holdfast.server.admin;

import org.jspecify.annotations.NullMarked;
